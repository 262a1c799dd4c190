// SPDX-License-Identifier: MIT
// Worker processes that share tasks in PostgreSQL. The holder of the lease of a task works on it. One worker is killed
// in the middle of a call; when its lease has expired, another one takes its task over and resumes where it stopped.
// Each charge is made once, since the service that makes it knows the call by its idempotency key.
//
//     workers 'host=127.0.0.1 dbname=agents user=agent'
#include <acta/acta.hpp>
#include <acta/agent/run.hpp>
#include <acta/store/postgres/store.hpp>
#include <acta/store/stored_history.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// The service outside: it has an effect, which is a file here, once for each key.
class Service {
public:
    explicit Service(fs::path folder) : folder_(std::move(folder)) {}

    std::string charge(const std::string& customer, const std::string& key) const {
        std::string name = key;
        std::ranges::replace(name, '/', '+');
        std::this_thread::sleep_for(20ms);
        const bool is_new = !fs::exists(folder_ / name);
        std::ofstream(folder_ / name, std::ios::app) << customer << '\n';
        std::this_thread::sleep_for(20ms);  // the answer is on its way: who is killed now does not know
        return customer + (is_new ? " is charged" : " was charged already");
    }
    [[nodiscard]] int charges() const {
        return static_cast<int>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }
    /// How often it was called: a call that was repeated counts twice.
    [[nodiscard]] int calls() const {
        int lines = 0;
        for (const auto& file : fs::directory_iterator(folder_)) {
            std::ifstream in(file.path());
            for (std::string line; std::getline(in, line);) ++lines;
        }
        return lines;
    }

private:
    fs::path folder_;
};

/// Stands in for a model: three steps with two charges each, and an answer.
acta::ChatCompletion plan(std::span<const acta::ChatMessage> messages, const acta::ChatOptions&) {
    const auto steps =
        std::ranges::count_if(messages, [](const acta::ChatMessage& one) { return !one.tool_calls.empty(); });
    acta::ChatCompletion out;
    if (steps == 3) {
        out.message.content = "All are charged.";
        return out;
    }
    out.message.tool_calls.emplace();
    for (const char* const half : {"a", "b"}) {
        const std::string customer = "customer " + std::to_string(steps + 1) + half;
        out.message.tool_calls->push_back({half, {"charge", {{"customer", customer}}}});
    }
    return out;
}

void work(const std::string& connection, const acta::JsonObject& queue, const Service& service,
          const std::string& name) {
    acta::postgres::Store store(connection);
    acta::SkillRegistry skills;
    skills.add(
        "charge", "Charges a customer.", {.uses_idempotency_key = true},
        [&service](const std::string& customer, acta::SkillContext& context) {
            return service.charge(customer, context.idempotency_key());
        },
        acta::param("customer", "Whom."));
    const acta::OpenOptions mine{.lease = acta::LeaseOptions{.holder = name, .time = 500ms}};
    const auto say = [&name](const std::string& text) { std::cout << name + ": " + text + "\n" << std::flush; };
    const std::vector<acta::HistoryInfo> tasks = store.list({.labels = queue});
    std::set<std::string> done;
    while (done.size() < tasks.size()) {
        for (const acta::HistoryInfo& task : tasks) {
            if (done.contains(task.id)) continue;
            try {
                auto run = acta::StoredHistory<>::open(store, task.id, mine);
                if (!run.answer()) {
                    if (!run.empty()) say("takes over " + task.id + " after " + std::to_string(run.size()) + " steps");
                    say(task.id + ": " + acta::to_string(acta::run_agent(plan, skills, run)));
                }
                done.insert(task.id);
            } catch (const acta::LeaseLost&) {  // another worker has it
            }
        }
        std::this_thread::sleep_for(20ms);
    }
}

pid_t start_worker(const std::string& connection, const acta::JsonObject& queue, const Service& service, int number) {
    const pid_t child = fork();
    if (child != 0) return child;
    try {
        work(connection, queue, service, "worker " + std::to_string(number));
        _exit(0);
    } catch (const std::exception& error) {
        std::cerr << "worker " << number << ": " << error.what() << "\n";
        _exit(1);
    }
}

int main(int argc, char** argv) try {
    if (argc != 2) throw std::invalid_argument("give it the connection string of a PostgreSQL database");
    constexpr int tasks = 4;
    const std::string name = "workers " + acta::to_string(acta::Timestamp::now());
    const acta::JsonObject queue{{"queue", name}};
    {
        acta::postgres::Store store(argv[1]);
        for (int task = 1; task <= tasks; ++task) {
            auto run = acta::StoredHistory<>::create(store, name + ", task " + std::to_string(task), {.labels = queue});
            run.register_message(acta::ChatMessage::user("Charge the customers."));
        }
    }  // its connections are not for the workers, which are other processes
    const fs::path folder = fs::temp_directory_path() / ("acta_workers_" + std::to_string(getpid()));
    fs::create_directory(folder);
    const Service service(folder);
    const auto wait_for_charges = [&service](int wanted, pid_t worker) {
        for (; service.charges() < wanted; std::this_thread::sleep_for(1ms)) {
            if (waitpid(worker, nullptr, WNOHANG) != 0) throw std::runtime_error("worker 1 ended early");
        }
    };
    const pid_t first = start_worker(argv[1], queue, service, 1);
    wait_for_charges(1, first);
    const pid_t second = start_worker(argv[1], queue, service, 2);
    wait_for_charges(4, first);  // in the middle of the first worker's first task
    kill(first, SIGKILL);
    waitpid(first, nullptr, 0);
    std::cout << "worker 1 was killed\n" << std::flush;
    int status = 0;
    waitpid(second, &status, 0);
    const int charges = service.charges();
    std::cout << tasks << " tasks, " << charges << " charges, each made once, by " << service.calls() << " calls\n";
    fs::remove_all(folder);
    return status == 0 && charges == tasks * 6 ? 0 : 1;
} catch (const std::exception& error) {
    std::cerr << "workers: " << error.what() << "\n";
    return 2;
}
