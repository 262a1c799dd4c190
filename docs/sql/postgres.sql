-- SPDX-License-Identifier: MIT
-- Two views of the tables of acta::postgres::Store, for people; docs/stores.md, "Views for operators", has queries.
-- acta does not read them. To create them, or to replace those of an earlier version, as the owner of the schema:
--
--     psql -f docs/sql/postgres.sql <connection>
--
-- Stores with another schema than acta: sed 's/acta\./other./g' docs/sql/postgres.sql | psql <connection>
--
-- `readable` makes JSON of a body. One \u0000 in a body would make every -> fail; it is shown as U+FFFD. An escaped
-- backslash before u0000 is not one.
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
--
-- OFFSET 0 keeps a subquery from being merged into the query around it, where it would be computed once for each use.
BEGIN;
SET LOCAL search_path = pg_catalog; -- names without a schema refer to nothing else
CREATE OR REPLACE FUNCTION acta.readable(body text) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (CASE WHEN pg_catalog.strpos(body, '\u0000') = 0 THEN body
          ELSE pg_catalog.regexp_replace(body, '(?<!\\)((?:\\\\)*)\\u0000', '\1\\ufffd', 'g') END)::pg_catalog.json
$$;
CREATE OR REPLACE VIEW acta.step AS
SELECT h.id AS history, s.step, s.seq, s.at,
  coalesce((SELECT string_agg(c.call->>'name', ', ' ORDER BY c.place)
            FROM json_array_elements(s.body->'action'->'use_tools') WITH ORDINALITY AS c(call, place)),
           s.body->'action'->'use_tool'->>'name') AS tools,
  (m.metrics->>'prompt_tokens')::bigint AS prompt_tokens,
  (m.metrics->>'completion_tokens')::bigint AS completion_tokens,
  (m.metrics->>'cost_usd')::double precision AS cost_usd,
  round(extract(epoch FROM coalesce(m.finished_at, m.metrics->>'finished_at')::timestamptz
                         - (m.metrics->>'started_at')::timestamptz)::numeric, 3) AS seconds,
  s.rewound
FROM acta.history h
CROSS JOIN LATERAL (
  SELECT seq, kind, at, acta.readable(body) AS body, next, (steps - 1)::bigint AS step,
    coalesce(min(steps) OVER (ORDER BY seq ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) < steps, false) AS rewound
  FROM (SELECT *, walk - least(0, min(walk) OVER (ORDER BY seq)) AS steps
    FROM (SELECT *, sum(change) OVER (ORDER BY seq) AS walk
      FROM (SELECT e.*, CASE WHEN e.kind = 'action' THEN 1 ELSE
          - least((e.body::json->>'steps')::bigint, 1000000000)
          - (e.kind_before = 'action' AND NOT EXISTS (
               SELECT FROM acta.record r
               WHERE r.history = h.key AND r.seq > e.seq_before AND r.seq < e.seq AND r.kind = 'result')
             AND (SELECT count(*) FROM acta.record r
                  WHERE r.history = h.key AND r.seq > e.seq_before AND r.seq < e.seq AND r.kind = 'call_result')
               < greatest(1, json_array_length(acta.readable(e.body_before)->'action'->'use_tools')))::int
          END AS change
        FROM (SELECT seq, kind, at, body, lag(kind, 1, '') OVER w AS kind_before, lag(seq) OVER w AS seq_before,
                lag(body) OVER w AS body_before, coalesce(lead(seq) OVER w, 9223372036854775807) AS next
              FROM acta.record WHERE history = h.key AND kind IN ('action', 'rewind')
              WINDOW w AS (ORDER BY seq)) e) changed) walked) counted
) s
CROSS JOIN LATERAL (
  SELECT coalesce(
      (SELECT r.body::json->'metrics' FROM acta.record r
       WHERE r.history = h.key AND r.seq > s.seq AND r.seq < s.next AND r.kind = 'metrics'
         AND (r.body::json->>'step')::bigint = s.step ORDER BY r.seq DESC LIMIT 1),
      s.body->'metrics') AS metrics,
    (SELECT coalesce(b.body->>'finished_at', b.body->'metrics'->>'finished_at')
     FROM acta.record r CROSS JOIN LATERAL (SELECT acta.readable(r.body) AS body) b
     WHERE r.history = h.key AND r.seq > s.seq AND r.seq < s.next
       AND (r.kind IN ('result', 'call_result') OR r.kind = 'metrics' AND (b.body->>'step')::bigint = s.step)
     ORDER BY r.seq DESC LIMIT 1) AS finished_at
  OFFSET 0
) m
WHERE s.kind = 'action';
CREATE OR REPLACE VIEW acta.call AS
SELECT h.id AS history, a.seq, c.place - 1 AS place, c.call->>'name' AS tool,
  coalesce((SELECT acta.readable(r.body)->'arguments' FROM acta.record r
            WHERE r.history = a.history AND r.seq > a.seq AND r.seq < n.next AND r.kind = 'decision'
              AND r.call_id IN (i.own, i.placed) AND acta.readable(r.body)->'arguments' IS NOT NULL
            ORDER BY r.seq DESC LIMIT 1),
           c.call->'arguments')::text AS arguments,
  replace(o.result->>'status', '_by_human', '') AS result,
  o.result->'error'->>'exception_type' AS error_type,
  round(extract(epoch FROM o.at - coalesce(
      (SELECT max(r.at) FROM acta.record r WHERE r.history = a.history AND r.seq > a.seq AND r.seq < n.next
         AND r.kind = 'call' AND r.call_id IN (i.own, i.placed)), a.at))::numeric, 3) AS seconds
FROM acta.history h
JOIN acta.record a ON a.history = h.key AND a.kind = 'action'
CROSS JOIN LATERAL (SELECT acta.readable(a.body)->'action' AS action,
  coalesce((SELECT min(r.seq) FROM acta.record r WHERE r.history = a.history AND r.seq > a.seq
              AND r.kind IN ('action', 'rewind')), 9223372036854775807) AS next OFFSET 0) n
CROSS JOIN LATERAL json_array_elements(
  CASE WHEN json_array_length(n.action->'use_tools') > 0 THEN n.action->'use_tools'
       ELSE json_build_array(n.action->'use_tool') END) WITH ORDINALITY AS c(call, place)
CROSS JOIN LATERAL (SELECT 'call_' || c.place - 1 AS placed,
  coalesce(n.action->'raw_message'->'tool_calls'->(c.place - 1)::int->>'id', '') AS own OFFSET 0) i
LEFT JOIN LATERAL (
  SELECT r.at, acta.readable(r.body)->'result' AS result FROM acta.record r
  WHERE r.history = a.history AND r.seq > a.seq AND r.seq < n.next
    AND (r.kind = 'result' OR r.kind = 'call_result' AND r.call_id IN (i.own, i.placed))
  ORDER BY r.kind = 'call_result' DESC, r.call_id = i.own DESC, r.seq DESC LIMIT 1) o ON true;
COMMIT;
