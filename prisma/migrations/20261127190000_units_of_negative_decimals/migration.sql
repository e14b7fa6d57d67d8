-- A market may have negative decimals for its positions: units of -3 are a thousand each. `1e--3` is no number, and one such market made
-- every view fail that has amounts of it.
CREATE OR REPLACE FUNCTION api_v1_in_units(amount TEXT, decimals INTEGER) RETURNS NUMERIC
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT trim_scale(nullif(amount, '')::numeric * ('1e' || (-decimals)::text)::numeric)
$$;

ALTER TABLE "blocks" DROP CONSTRAINT "only_the_newest_version_writes";
ALTER TABLE "blocks" ADD CONSTRAINT "only_the_newest_version_writes"
  CHECK (coalesce(current_setting('periscope.migration', true), '') >= '20261127190000_units_of_negative_decimals' COLLATE "C") NOT VALID;
