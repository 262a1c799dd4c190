// SPDX-License-Identifier: MIT
// What a step of the loop takes of the processor with npm's packages for agents, on the server of acta_bench_loop, with
// the same tool and beside acta:
//
//     npm install --prefix build/peers --no-save @openai/agents@0.20.0 openai@6.49.0 ai@6.0.326 @ai-sdk/openai@3.0.141 \
//         @langchain/langgraph@1.7.3 @langchain/openai@1.5.8 @langchain/core@1.4.0 zod@4.6.7
//     node tests/bench/loop/peers.mjs build/bench/tests/bench/acta_bench_loop build/peers
//
// Prints a table in Markdown, with the versions and the date. Each of them runs in a process of its own, first to warm
// up and then three times, of which the best counts. All send the whole history.
import {execFileSync, spawn} from 'node:child_process';
import {createRequire} from 'node:module';
import {readFileSync} from 'node:fs';
import {fileURLToPath, pathToFileURL} from 'node:url';
import path from 'node:path';

const steps = 400;
const question = 'When did the pump run dry?';
const description = 'Reads a part.';
const readLog = ({part}) => `Part ${part}: high water at noon, the pump "${part % 7}" ran.\n${'x'.repeat(300)}`;

// Each imports its package, and returns a function that makes one run and returns its answer.
const peers = {
  'ai': async (from, baseURL) => {
    const {generateText, stepCountIs, tool} = await from('ai');
    const {createOpenAI} = await from('@ai-sdk/openai');
    const {z} = await from('zod');
    const model = createOpenAI({baseURL, apiKey: 'none'}).chat('m');
    const tools = {read_log: tool({description, inputSchema: z.object({part: z.number()}), execute: readLog})};
    return async () => (await generateText({model, tools, stopWhen: stepCountIs(steps + 1), prompt: question})).text;
  },
  '@langchain/langgraph': async (from, baseURL) => {
    const {createReactAgent} = await from('@langchain/langgraph/prebuilt');
    const {tool} = await from('@langchain/core/tools');
    const {ChatOpenAI} = await from('@langchain/openai');
    const {z} = await from('zod');
    const model = new ChatOpenAI({model: 'm', apiKey: 'none', configuration: {baseURL}});
    const tools = [tool(readLog, {name: 'read_log', description, schema: z.object({part: z.number()})})];
    const agent = createReactAgent({llm: model, tools});
    const messages = [{role: 'user', content: question}];
    return async () => (await agent.invoke({messages}, {recursionLimit: 10 * steps})).messages.at(-1).content;
  },
  '@openai/agents': async (from, baseURL) => {
    const {Agent, OpenAIChatCompletionsModel, run, setTracingDisabled, tool} = await from('@openai/agents');
    const {default: OpenAI} = await from('openai');
    const {z} = await from('zod');
    setTracingDisabled(true);
    const model = new OpenAIChatCompletionsModel(new OpenAI({baseURL, apiKey: 'none'}), 'm');
    const tools = [tool({name: 'read_log', description, parameters: z.object({part: z.number()}), execute: readLog})];
    const agent = new Agent({name: 'reader', model, tools});
    return async () => (await run(agent, question, {maxTurns: steps + 1})).finalOutput;
  }
};

function packages(folder) {
  const require = createRequire(path.join(path.resolve(folder), 'package.json'));
  return {
    from: name => import(pathToFileURL(require.resolve(name))),
    version: name => JSON.parse(readFileSync(path.join(folder, 'node_modules', name, 'package.json'))).version
  };
}

/// Prints the milliseconds that a step of one of them takes.
async function measure(name, folder, baseURL) {
  const run = await peers[name](packages(folder).from, baseURL);
  let best = Infinity;
  for (let round = 0; round < 4; ++round) {
    const before = process.cpuUsage();
    const answer = await run();
    const {user, system} = process.cpuUsage(before);
    if (answer !== 'All read.') throw new Error(`${name} answers ${JSON.stringify(answer)}`);
    if (round > 0) best = Math.min(best, (user + system) / 1000 / steps);
  }
  console.log(best);
}

async function compare(program, folder) {
  const server = spawn(program, ['serve'], {stdio: ['pipe', 'pipe', 'inherit']});
  const baseURL = await new Promise((found, failed) => {
    server.stdout.once('data', data => found(String(data).trim()));
    server.once('error', failed);
    server.once('exit', code => failed(new Error(`${program} serve ended with ${code}`)));
  });
  const table = execFileSync(program, ['3'], {encoding: 'utf8'});
  const acta = row => Number(table.split('\n').find(line => line.startsWith(`| ${steps} steps, ${row} |`)).split('|')[3]);
  const whole = acta('whole history');
  const rows = [['acta, as it comes', acta('as it comes')], ['acta, whole history', whole]];
  for (const name of Object.keys(peers)) {
    const output = execFileSync(process.execPath, [fileURLToPath(import.meta.url), 'measure', name, folder, baseURL], {encoding: 'utf8'});
    rows.push([`\`${name}\` ${packages(folder).version(name)}`, Number(output)]);
  }
  server.stdin.end();
  const cell = number => number.toPrecision(3);
  console.log(`| ${steps} steps, Node.js ${process.versions.node}, ${new Date().toISOString().slice(0, 10)} | ms a step | times acta's with the whole history |\n|---|---|---|`);
  for (const [name, time] of rows) console.log(`| ${name} | ${cell(time)} | ${cell(time / whole)} |`);
}

const [first, ...others] = process.argv.slice(2);
if (first === 'measure' && others.length === 3) await measure(...others);
else if (first && others.length === 1) await compare(first, others[0]);
else throw new Error('use: node peers.mjs PROGRAM FOLDER');
