// SPDX-License-Identifier: MIT
// Compares runs with agentevals.
//
// use: node agentevals.mjs PACKAGES < PAIRS
//
// PACKAGES is the folder with node_modules. Each line of PAIRS is JSON, {actual, expected, cases: [{order, arguments,
// tools}]}, where a tool has a mode, a list of names, or {function: name}. Prints a line for each pair and in it a word
// of two letters for each case: `t`, `f`, or `e` if the comparison throws. The first letter is what agentevals says. The
// second is what it says
// - if arguments and functions of tools have the same direction in every order: it compares those of the expected call
//   with those of the run for `subset`, and both ways for `unordered`;
// - and if each call is tried first: a call takes the first that fits, and others may then have none.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const { createTrajectoryMatchEvaluator } = createRequire(process.argv[2] + "/")("agentevals");

const functions = {
    as_many: (actual, expected) => Object.keys(actual).length === Object.keys(expected).length,
    fewer: (actual, expected) => Object.keys(actual).length <= Object.keys(expected).length,
    null_query: (actual, expected) => (actual.query ?? null) === null && (expected.query ?? null) !== null,
};
const opposite = { subset: "superset", superset: "subset" };

function rule(of, reverse) {
    if (typeof of === "string") return reverse ? opposite[of] ?? of : of;
    if (Array.isArray(of)) return of;
    const fits = functions[of.function];
    return reverse ? (one, two) => fits(two, one) : fits;
}

async function says(actual, expected, one, order, reverse) {
    const tools = Object.entries(one.tools ?? {}).map(([name, of]) => [name, rule(of, reverse)]);
    const evaluate = createTrajectoryMatchEvaluator({
        trajectoryMatchMode: order,
        toolArgsMatchMode: rule(one.arguments, reverse),
        ...(one.tools ? { toolArgsMatchOverrides: Object.fromEntries(tools) } : {}),
    });
    return (await evaluate({ outputs: actual, referenceOutputs: expected })).score;
}

function* permutations(list) {
    if (list.length < 2) return yield list;
    for (const [i, first] of list.entries())
        for (const rest of permutations(list.filter((_, at) => at !== i))) yield [first, ...rest];
}

/** Messages with the calls of each in any order. */
function* reordered([first, ...rest]) {
    if (!first) return yield [];
    for (const later of reordered(rest)) {
        if (!first.tool_calls) yield [first, ...later];
        else for (const tool_calls of permutations(first.tool_calls)) yield [{ ...first, tool_calls }, ...later];
    }
}

/** All calls in one message. */
const joined = (messages) => [{ role: "assistant", content: "", tool_calls: messages.flatMap((one) => one.tool_calls ?? []) }];

async function says_best(actual, expected, one) {
    const rules = [one.arguments, ...Object.values(one.tools ?? {})];
    const is_symmetric = rules.every((of) => of === "exact" || of === "ignore" || Array.isArray(of));
    const tries = is_symmetric ? (messages) => [messages] : reordered;
    const any = async (messages, test) => {
        for (const variant of tries(messages)) if (await test(variant)) return true;
        return false;
    };
    if (one.order === "strict") return any(actual, (variant) => says(variant, expected, one, "strict", false));
    const has_all = () => any(joined(expected), (variant) => says(actual, variant, one, "superset", false));
    const has_no_other = () => any(joined(actual), (variant) => says(variant, expected, one, "subset", true));
    if (one.order === "superset") return has_all();
    if (one.order === "subset") return has_no_other();
    return (await has_all()) && (await has_no_other());
}

const letter = async (result) => {
    try {
        return (await result()) ? "t" : "f";
    } catch {
        return "e";
    }
};

for await (const line of createInterface({ input: process.stdin })) {
    const { actual, expected, cases } = JSON.parse(line);
    const words = [];
    for (const one of cases) {
        const raw = await letter(() => says(actual, expected, one, one.order, false));
        words.push(raw + (await letter(() => says_best(actual, expected, one))));
    }
    console.log(words.join(" "));
}
