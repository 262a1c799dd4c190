// SPDX-License-Identifier: MIT
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "acta/testing/trajectory_match.hpp"

// Results of trajectory_match as conditions of GoogleTest, which prints the message of those that do not hold.
namespace {

using acta::testing::trajectory_match;
using acta::testing::TrajectoryMatch;
using acta::testing::TrajectorySteps;

const TrajectorySteps run{{"search", {{"query", "tides"}}}};

}  // namespace

TEST(trajectory_match, is_a_condition) {
    EXPECT_TRUE(trajectory_match(run, {{"search", {{"query", "tides"}}}}));
    EXPECT_FALSE(trajectory_match(run, {}));
    const TrajectoryMatch match = trajectory_match(run, run);
    ASSERT_TRUE(match) << "with a text";
}

TEST(trajectory_match, has_its_message_in_a_failure) {
    EXPECT_NONFATAL_FAILURE(EXPECT_TRUE(trajectory_match(run, {})), "call 1 is search(query='tides'), which is not");
}
