// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acta/tool_response/response_type.hpp"

// The files of a user's workspace.
namespace acta::inline ACTA_ABI {

/// A file of the workspace.
struct WorkspaceFileInfoData {
    std::string file_id{};        ///< Stays the same when the file is moved.
    std::string name{};           ///< The last part of the path.
    std::string path{};           ///< Inside the workspace.
    std::string mime_type{};      ///< Such as `text/csv`.
    std::int64_t size_bytes = 0;  ///< Size of the file.

    friend bool operator==(const WorkspaceFileInfoData&, const WorkspaceFileInfoData&) = default;
};

template <>
struct Describe<WorkspaceFileInfoData> {
    using T = WorkspaceFileInfoData;
    static constexpr std::string_view doc = "Workspace file information.";
    static constexpr auto fields =
        acta::fields(required("file_id", &T::file_id), required("name", &T::name), required("path", &T::path),
                     required("mime_type", &T::mime_type), required("size_bytes", &T::size_bytes));
};

/// The files of the workspace, or some of them.
struct WorkspaceFileListResponse {
    std::string message{};                       ///< What happened, in words for people.
    std::optional<std::string> session_id{};     ///< The chat session.
    std::vector<WorkspaceFileInfoData> files{};  ///< The files that are listed.
    std::int64_t total_count = 0;                ///< Number of files, including those not listed here.

    friend bool operator==(const WorkspaceFileListResponse&, const WorkspaceFileListResponse&) = default;
};

template <>
struct Describe<WorkspaceFileListResponse> {
    using T = WorkspaceFileListResponse;
    static constexpr std::string_view doc = "Response containing a list of workspace files.";
    static constexpr auto fields = acta::fields(response_fields<T>(ResponseType::workspace_file_list),
                                                required("files", &T::files), required("total_count", &T::total_count));
};

/// The content of a file of the workspace.
struct WorkspaceFileContentResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string file_id{};                    ///< The file; stays the same when it is moved.
    std::string name{};                       ///< The last part of the path.
    std::string path{};                       ///< Inside the workspace.
    std::string mime_type{};                  ///< Such as `text/csv`.
    std::string content_base64{};             ///< Its content, in base64.

    friend bool operator==(const WorkspaceFileContentResponse&, const WorkspaceFileContentResponse&) = default;
};

template <>
struct Describe<WorkspaceFileContentResponse> {
    using T = WorkspaceFileContentResponse;
    static constexpr std::string_view doc = "Response containing workspace file content.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::workspace_file_content), required("file_id", &T::file_id),
                     required("name", &T::name), required("path", &T::path), required("mime_type", &T::mime_type),
                     required("content_base64", &T::content_base64));
};

/// Metadata of a file of the workspace and where to download it.
struct WorkspaceFileMetadataResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string file_id{};                    ///< The file; stays the same when it is moved.
    std::string name{};                       ///< The last part of the path.
    std::string path{};                       ///< Inside the workspace.
    std::string mime_type{};                  ///< Such as `text/csv`.
    std::int64_t size_bytes = 0;              ///< Size of the file.
    std::string download_url{};               ///< Where to download it.
    std::optional<std::string> preview{};     ///< The beginning of a text.

    friend bool operator==(const WorkspaceFileMetadataResponse&, const WorkspaceFileMetadataResponse&) = default;
};

template <>
struct Describe<WorkspaceFileMetadataResponse> {
    using T = WorkspaceFileMetadataResponse;
    static constexpr std::string_view doc = "Response containing workspace file metadata and a download URL.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::workspace_file_metadata), required("file_id", &T::file_id),
                     required("name", &T::name), required("path", &T::path), required("mime_type", &T::mime_type),
                     required("size_bytes", &T::size_bytes), required("download_url", &T::download_url),
                     defaulted("preview", &T::preview));
};

/// A file was written to the workspace.
struct WorkspaceWriteResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string file_id{};                    ///< The file; stays the same when it is moved.
    std::string name{};                       ///< The last part of the path.
    std::string path{};                       ///< Inside the workspace.
    std::int64_t size_bytes = 0;              ///< As written.

    friend bool operator==(const WorkspaceWriteResponse&, const WorkspaceWriteResponse&) = default;
};

template <>
struct Describe<WorkspaceWriteResponse> {
    using T = WorkspaceWriteResponse;
    static constexpr std::string_view doc = "Response after writing a file to the workspace.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::workspace_file_written), required("file_id", &T::file_id),
                     required("name", &T::name), required("path", &T::path), required("size_bytes", &T::size_bytes));
};

/// A file of the workspace was deleted, or could not be.
struct WorkspaceDeleteResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string file_id{};                    ///< The file; stays the same when it is moved.
    bool success = false;                     ///< Whether the file is gone.

    friend bool operator==(const WorkspaceDeleteResponse&, const WorkspaceDeleteResponse&) = default;
};

template <>
struct Describe<WorkspaceDeleteResponse> {
    using T = WorkspaceDeleteResponse;
    static constexpr std::string_view doc = "Response after deleting a file from the workspace.";
    static constexpr auto fields = acta::fields(response_fields<T>(ResponseType::workspace_file_deleted),
                                                required("file_id", &T::file_id), required("success", &T::success));
    static bool failed(const T& reply) { return !reply.success; }
};

}  // namespace acta::inline ACTA_ABI
