-- SPDX-License-Identifier: MIT
-- Two views of the tables of acta::sqlite::Store, for people; docs/stores.md, "Views for operators", has queries. acta
-- does not read them. To create them, or to replace those of an earlier version:
--
--     sqlite3 runs.db < docs/sql/sqlite.sql
--
-- `step` has a row for each step that was ever opened, also for those that were rewound: they took time and tokens too.
-- The number of steps in a history goes up by one with each action, and down with each rewind, by the number in the
-- rewind and by the open step, but not below 0. So it is a sum (`walk`) less the lowest value below 0 that the sum has
-- had. A step was rewound if the number falls below its own later. Metrics that were set after the next step had begun
-- are left out.
--
-- `call` has a row for each call of these steps. It is known by the id in the model's message, or else by its place
-- (docs/reference/history.md, "Parallel calls"). A result without a call's id is that of all calls of the step that
-- have none.
BEGIN;
DROP VIEW IF EXISTS step;
DROP VIEW IF EXISTS call;
CREATE VIEW step AS
WITH event AS (
  SELECT history, seq, kind, at_us, body, lag(kind) OVER w AS kind_before, lag(seq) OVER w AS seq_before,
    lag(body) OVER w AS body_before, coalesce(lead(seq) OVER w, 9223372036854775807) AS next
  FROM record WHERE kind IN ('action', 'rewind') WINDOW w AS (PARTITION BY history ORDER BY seq)),
changed AS (
  SELECT *, CASE WHEN kind = 'action' THEN 1 ELSE
      - min(json_extract(body, '$.steps'), 1000000000)
      - (kind_before IS 'action' AND NOT EXISTS (
           SELECT 1 FROM record r
           WHERE r.history = e.history AND r.seq > e.seq_before AND r.seq < e.seq AND r.kind = 'result')
         AND (SELECT count(*) FROM record r
              WHERE r.history = e.history AND r.seq > e.seq_before AND r.seq < e.seq AND r.kind = 'call_result')
           < max(1, coalesce(json_array_length(body_before, '$.action.use_tools'), 1)))
      END AS change
  FROM event e),
walked AS (SELECT *, sum(change) OVER (PARTITION BY history ORDER BY seq) AS walk FROM changed),
counted AS (SELECT *, walk - min(0, min(walk) OVER (PARTITION BY history ORDER BY seq)) AS steps FROM walked),
found AS (
  SELECT *, steps - 1 AS step, coalesce(min(steps) OVER (PARTITION BY history ORDER BY seq
    ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) < steps, 0) AS rewound
  FROM counted),
measured AS (
  SELECT *,
    coalesce(
      (SELECT json_extract(r.body, '$.metrics') FROM record r
       WHERE r.history = f.history AND r.seq > f.seq AND r.seq < f.next AND r.kind = 'metrics'
         AND json_extract(r.body, '$.step') = f.step ORDER BY r.seq DESC LIMIT 1),
      json_extract(body, '$.metrics')) AS metrics,
    (SELECT coalesce(json_extract(r.body, '$.finished_at'), json_extract(r.body, '$.metrics.finished_at'))
     FROM record r WHERE r.history = f.history AND r.seq > f.seq AND r.seq < f.next
       AND (r.kind IN ('result', 'call_result') OR r.kind = 'metrics' AND json_extract(r.body, '$.step') = f.step)
     ORDER BY r.seq DESC LIMIT 1) AS finished_at
  FROM found f WHERE kind = 'action')
SELECT h.id AS history, step, seq, strftime('%Y-%m-%dT%H:%M:%fZ', at_us / 1e6, 'unixepoch') AS at,
  coalesce((SELECT group_concat(json_extract(c.value, '$.name'), ', ')
            FROM json_each(body, '$.action.use_tools') c),
           json_extract(body, '$.action.use_tool.name')) AS tools,
  json_extract(metrics, '$.prompt_tokens') AS prompt_tokens,
  json_extract(metrics, '$.completion_tokens') AS completion_tokens,
  json_extract(metrics, '$.cost_usd') AS cost_usd,
  round((julianday(coalesce(finished_at, json_extract(metrics, '$.finished_at')))
         - julianday(json_extract(metrics, '$.started_at'))) * 86400, 3) AS seconds,
  rewound
FROM measured m JOIN history h ON h.key = m.history;
CREATE VIEW call AS
WITH action AS (
  SELECT a.history, a.seq, a.at_us, a.body, coalesce((
      SELECT r.seq FROM record r WHERE r.history = a.history AND r.seq > a.seq AND r.kind IN ('action', 'rewind')
      ORDER BY r.seq LIMIT 1), 9223372036854775807) AS next
  FROM record a WHERE a.kind = 'action'),
one AS (
  SELECT a.*, c.key AS place, c.value AS call, 'call_' || c.key AS placed,
    coalesce(json_extract(a.body, '$.action.raw_message.tool_calls[' || c.key || '].id'), '') AS own
  FROM action a, json_each(
    CASE WHEN coalesce(json_array_length(a.body, '$.action.use_tools'), 0) > 0
         THEN json_extract(a.body, '$.action.use_tools')
         ELSE json_array(json_extract(a.body, '$.action.use_tool')) END) c),
answered AS (
  SELECT o.*,
    coalesce(
      (SELECT max(r.rowid) FROM record r WHERE r.history = o.history AND r.seq > o.seq AND r.seq < o.next
         AND r.kind = 'call_result' AND r.call_id = o.own),
      (SELECT max(r.rowid) FROM record r WHERE r.history = o.history AND r.seq > o.seq AND r.seq < o.next
         AND r.kind = 'call_result' AND r.call_id = o.placed),
      (SELECT max(r.rowid) FROM record r WHERE r.history = o.history AND r.seq > o.seq AND r.seq < o.next
         AND r.kind = 'result')) AS answer,
    (SELECT json_extract(r.body, '$.arguments') FROM record r
     WHERE r.history = o.history AND r.seq > o.seq AND r.seq < o.next AND r.kind = 'decision'
       AND r.call_id IN (o.own, o.placed) AND json_extract(r.body, '$.arguments') IS NOT NULL
     ORDER BY r.seq DESC LIMIT 1) AS decided,
    coalesce((SELECT max(r.at_us) FROM record r WHERE r.history = o.history AND r.seq > o.seq AND r.seq < o.next
       AND r.kind = 'call' AND r.call_id IN (o.own, o.placed)), o.at_us) AS begun_us
  FROM one o)
SELECT h.id AS history, o.seq, o.place, json_extract(o.call, '$.name') AS tool,
  coalesce(o.decided, json_extract(o.call, '$.arguments')) AS arguments,
  replace(json_extract(r.body, '$.result.status'), '_by_human', '') AS result,
  json_extract(r.body, '$.result.error.exception_type') AS error_type,
  round((r.at_us - o.begun_us) / 1e6, 3) AS seconds
FROM answered o JOIN history h ON h.key = o.history LEFT JOIN record r ON r.rowid = o.answer;
COMMIT;
