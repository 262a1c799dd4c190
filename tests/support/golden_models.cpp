// SPDX-License-Identifier: MIT
#include "support/golden.hpp"

#include "acta/acta.hpp"
#include "acta/skill/declaration.hpp"
#include "acta/tool_response/models.hpp"
#include "acta/tool_response/tool_response.hpp"

namespace golden {
namespace {

std::vector<Model> tool_response_models() {
    return {
        model<acta::AgentInfo>("AgentInfo"),
        model<acta::InputField>("InputField"),
        model<acta::ExecutionOptions>("ExecutionOptions"),
        model<acta::AgentDetails>("AgentDetails"),
        model<acta::UserReadiness>("UserReadiness"),
        model<acta::SetupInfo>("SetupInfo"),
        model<acta::ExecutionOutputInfo>("ExecutionOutputInfo"),
        model<acta::ClarifyingQuestion>("ClarifyingQuestion"),
        model<acta::DocSearchResult>("DocSearchResult"),
        model<acta::BlockInputFieldInfo>("BlockInputFieldInfo"),
        model<acta::BlockInfoSummary>("BlockInfoSummary"),
        model<acta::CredentialsMetaInput>("CredentialsMetaInput"),
        model<acta::WorkspaceFileInfoData>("WorkspaceFileInfoData"),
        model<acta::AgentsFoundResponse>("AgentsFoundResponse"),
        model<acta::NoResultsResponse>("NoResultsResponse"),
        model<acta::AgentDetailsResponse>("AgentDetailsResponse"),
        model<acta::SetupRequirementsResponse>("SetupRequirementsResponse"),
        model<acta::ExecutionStartedResponse>("ExecutionStartedResponse"),
        model<acta::NeedLoginResponse>("NeedLoginResponse"),
        model<acta::ErrorResponse>("ErrorResponse"),
        model<acta::InputValidationErrorResponse>("InputValidationErrorResponse"),
        model<acta::AgentOutputResponse>("AgentOutputResponse"),
        model<acta::UnderstandingUpdatedResponse>("UnderstandingUpdatedResponse"),
        model<acta::AgentPreviewResponse>("AgentPreviewResponse"),
        model<acta::AgentSavedResponse>("AgentSavedResponse"),
        model<acta::ClarificationNeededResponse>("ClarificationNeededResponse"),
        model<acta::DocSearchResultsResponse>("DocSearchResultsResponse"),
        model<acta::DocPageResponse>("DocPageResponse"),
        model<acta::BlockListResponse>("BlockListResponse"),
        model<acta::BlockOutputResponse>("BlockOutputResponse"),
        model<acta::OperationStartedResponse>("OperationStartedResponse"),
        model<acta::OperationPendingResponse>("OperationPendingResponse"),
        model<acta::OperationInProgressResponse>("OperationInProgressResponse"),
        model<acta::AsyncProcessingResponse>("AsyncProcessingResponse"),
        model<acta::WorkspaceFileListResponse>("WorkspaceFileListResponse"),
        model<acta::WorkspaceFileContentResponse>("WorkspaceFileContentResponse"),
        model<acta::WorkspaceFileMetadataResponse>("WorkspaceFileMetadataResponse"),
        model<acta::WorkspaceWriteResponse>("WorkspaceWriteResponse"),
        model<acta::WorkspaceDeleteResponse>("WorkspaceDeleteResponse"),
    };
}

std::vector<Model> skill_models() {
    return {model<acta::Skill::Example>("Example"),           model<acta::Skill::Returns>("Returns"),
            model<acta::Skill::Parameter>("Parameter"),       model<acta::Skill>("Skill"),
            model<acta::SkillsDeclaration::Entity>("Entity"), model<acta::SkillsDeclaration>("SkillsDeclaration")};
}

}  // namespace
}  // namespace golden

const std::vector<golden::Model>& golden::models() {
    using Proposal = acta::ActionProposal<>;
    static const std::vector<golden::Model> all = [] {
        std::vector<golden::Model> list{
            golden::model<acta::AssistantFunctionCall>("AssistantFunctionCall"),
            golden::model<acta::AssistantToolCall>("AssistantToolCall"),
            golden::model<acta::AssistantChatMessage>("AssistantChatMessage"),
            golden::model<acta::ActionSuccessResult>("ActionSuccessResult"),
            golden::model<acta::ErrorInfo>("ErrorInfo"),
            golden::model<acta::ActionErrorResult>("ActionErrorResult"),
            golden::model<acta::ActionInterruptedByHuman>("ActionInterruptedByHuman"),
            golden::model<Proposal>("ActionProposal"),
            golden::model<acta::Episode<Proposal>>("Episode"),
            golden::model<acta::EpisodicActionHistory<Proposal>>("EpisodicActionHistory"),
        };
        const std::vector<golden::Model> replies = golden::tool_response_models();
        list.insert(list.end(), replies.begin(), replies.end());
        const std::vector<golden::Model> skills = golden::skill_models();
        list.insert(list.end(), skills.begin(), skills.end());
        return list;
    }();
    return all;
}
