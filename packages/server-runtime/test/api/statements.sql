-- What Postgres gets for requests to the bookstore. Written by statements.test.ts: `vitest -u`.

-- getBook: a look-up, which others may share
select position, answer.*
      from rows from (json_to_recordset($1::json) as ("$1" bigint)) with ordinality as "$query" ("$1", position), lateral (select '{' || '"id":' || coalesce(row."id"::text, 'null') || ',"title":' || coalesce(to_json(row."title"::text)::text, 'null') || ',"storeId":' || coalesce(row."storeId"::text, 'null') || case row."format"::text when 'hardcover' then ',"format":"hardcover"' when 'paperback' then ',"format":"paperback"' when 'ebook' then ',"format":"ebook"' else coalesce(',"format":' || to_json(row."format"::text)::text, '') end || '}' as body from (select "id", "title", "store_id" as "storeId", "format" from "books" where "id" = "$query"."$1" offset 0) as row limit 1) as answer;

-- listBooks: a page, which others may share
select position, answer.*
      from rows from (json_to_recordset($1::json) as ("after" bigint, "last" bigint, "limit" integer)) with ordinality as "$query" ("after", "last", "limit", position), lateral (
      select items, least("$query".limit, coalesce(cardinality(keys), 0)) as count,
        case when keys["$query".limit + 1] is not null then coalesce(keys["$query".limit], "$query".after) end as next
      from (
        select string_agg(item, '') as items, array_agg(key) as keys from (
          select '{' || '"id":' || coalesce(row."id"::text, 'null') || ',"title":' || coalesce(to_json(row."title"::text)::text, 'null') || ',"storeId":' || coalesce(row."storeId"::text, 'null') || case row."format"::text when 'hardcover' then ',"format":"hardcover"' when 'paperback' then ',"format":"paperback"' when 'ebook' then ',"format":"ebook"' else coalesce(',"format":' || to_json(row."format"::text)::text, '') end || '}' as item, row."$key0" as key from (select "id", "title", "store_id" as "storeId", "format", "books"."id" as "$key0" from "books" as "books" where ("books"."id") > ("$query"."after")) as row
          order by row."$key0" asc
          limit "$query".limit + 1
        ) as row
      ) as page) as answer;

-- createBook: an insertion, which others may share
with "$request" ("=title", "=store_id", "=format", "$n") as materialized (select * from rows from (json_to_recordset($1::json) as ("=title" text, "=store_id" bigint, "=format" text)) with ordinality
  ), "$fresh" as materialized (
    select * from "$request" 
  ), "$lock" as materialized (
    select pg_advisory_xact_lock('"books"'::regclass::oid::integer, 0)::text
    from (select count(*) from "$fresh") as "$fresh" where count > 0
  ), "$new" as materialized (
    select "$fresh".* from "$fresh" cross join "$lock"
  ), "$own" as materialized (insert into "books" ("title", "store_id", "format") select "$new"."=title", "$new"."=store_id", "$new"."=format" from "$new" order by "$new"."$n" returning "id", "title", "store_id" as "storeId", "format"), "$answered" as materialized (
    select "$new"."$n", case when row."$n" is not null then 201 else 404 end as status,
      null as headers,
      case when row."$n" is not null then '{' || '"id":' || coalesce(row."id"::text, 'null') || ',"title":' || coalesce(to_json(row."title"::text)::text, 'null') || ',"storeId":' || coalesce(row."storeId"::text, 'null') || case row."format"::text when 'hardcover' then ',"format":"hardcover"' when 'paperback' then ',"format":"paperback"' when 'ebook' then ',"format":"ebook"' else coalesce(',"format":' || to_json(row."format"::text)::text, '') end || '}' end as body
    from "$new" left join (select new."$n", own.* from (select row_number() over () as "$at", * from "$own") as own
      join (select row_number() over (order by "$n") as "$at", "$n" from "$new") as new on new."$at" = own."$at"
      where 1 / (case when (select count(*) from "$new") in (1, (select count(*) from "$own")) then 1 else 0 end) = 1) as row on row."$n" = "$new"."$n"
  )
  select "$n"::integer as position, status, headers, body, null as fingerprint from "$answered";

-- createBook with an Idempotency-Key
with "$request" ("$apiKey", "$key", "$fingerprint", "=title", "=store_id", "=format", "$n") as materialized (select * from rows from (json_to_recordset($1::json) as ("$apiKey" bigint, "$key" text, "$fingerprint" text, "=title" text, "=store_id" bigint, "=format" text)) with ordinality
  ), "$known" as materialized (select "$n", first.* from "$request", lateral (
    select status, headers::text, nullif(answer::text, 'null') as body, encode(fingerprint, 'hex') as fingerprint
    from idempotency_keys where (api_key_id, key) = ("$apiKey", "$key") and not (created_at <= service_now() - interval '24 hours') limit 1
  ) as first
  ), "$fresh" as materialized (
    select * from "$request" where "$n" not in (select "$n" from "$known") and ("$key" is null or pg_try_advisory_xact_lock(hashtextextended("$apiKey" || ':' || "$key", 0)))
  ), "$lock" as materialized (
    select pg_advisory_xact_lock('"books"'::regclass::oid::integer, 0)::text
    from (select count(*) from "$fresh") as "$fresh" where count > 0
  ), "$new" as materialized (
    select "$fresh".* from "$fresh" cross join "$lock"
  ), "$own" as materialized (insert into "books" ("title", "store_id", "format") select "$new"."=title", "$new"."=store_id", "$new"."=format" from "$new" order by "$new"."$n" returning "id", "title", "store_id" as "storeId", "format"), "$answered" as materialized (
    select "$new"."$n", "$apiKey", "$key", "$fingerprint", case when row."$n" is not null then 201 else 404 end as status,
      null as headers,
      case when row."$n" is not null then '{' || '"id":' || coalesce(row."id"::text, 'null') || ',"title":' || coalesce(to_json(row."title"::text)::text, 'null') || ',"storeId":' || coalesce(row."storeId"::text, 'null') || case row."format"::text when 'hardcover' then ',"format":"hardcover"' when 'paperback' then ',"format":"paperback"' when 'ebook' then ',"format":"ebook"' else coalesce(',"format":' || to_json(row."format"::text)::text, '') end || '}' end as body
    from "$new" left join (select new."$n", own.* from (select row_number() over () as "$at", * from "$own") as own
      join (select row_number() over (order by "$n") as "$at", "$n" from "$new") as new on new."$at" = own."$at"
      where 1 / (case when (select count(*) from "$new") in (1, (select count(*) from "$own")) then 1 else 0 end) = 1) as row on row."$n" = "$new"."$n"
  ), "$stored" as (
    insert into idempotency_keys as stored (api_key_id, key, fingerprint, status, headers, answer, created_at)
    select "$apiKey", "$key", decode("$fingerprint", 'hex'), status, headers::json, coalesce(body, 'null')::json, service_now()
    from "$answered" where "$key" is not null
    on conflict (api_key_id, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
      headers = excluded.headers, answer = excluded.answer,
      created_at = case when stored.created_at <= service_now() - interval '24 hours' then excluded.created_at end)
  select "$n"::integer as position, status, headers, body, null as fingerprint from "$answered"
  union all select "$n"::integer as position, status, headers, body, fingerprint from "$known";

-- replaceStoreName: a change of a row
with "$request" ("$n") as materialized (select * from (values (1)) as request
  ), "$fresh" as materialized (
    select * from "$request" 
  ), "$new" as materialized (
    select "$fresh".* from "$fresh" 
  ), "$own" as materialized (update "stores" set "name" = $1 where "id" = $2 returning "id", "name", "city", "capacity", "state", format('"%s-%s"', name, state) as "etag"), "$answered" as materialized (
    select "$new"."$n", case when row."$n" is not null then 200 else 404 end as status,
      case when row."$n" is not null then json_strip_nulls(json_build_object('ETag', row."etag"::text))::text end as headers,
      case when row."$n" is not null then '{' || '"id":' || coalesce(row."id"::text, 'null') || ',"name":' || coalesce(to_json(row."name"::text)::text, 'null') || ',"city":' || coalesce(to_json(row."city"::text)::text, 'null') || coalesce(',"capacity":' || row."capacity"::text, '') || case row."state"::text when 'open' then ',"state":"open"' when 'full' then ',"state":"full"' when 'closed' then ',"state":"closed"' else ',"state":' || coalesce(to_json(row."state"::text)::text, 'null') end || '}' end as body
    from "$new" left join (select 1 as "$n", "$own".* from "$own" limit 1) as row on row."$n" = "$new"."$n"
  )
  select "$n"::integer as position, status, headers, body, null as fingerprint from "$answered";

-- replaceStoreName with an Idempotency-Key
with "$request" ("$apiKey", "$key", "$fingerprint", "$n") as materialized (select * from rows from (json_to_recordset($3::json) as ("$apiKey" bigint, "$key" text, "$fingerprint" text)) with ordinality
  ), "$known" as materialized (select "$n", first.* from "$request", lateral (
    select status, headers::text, nullif(answer::text, 'null') as body, encode(fingerprint, 'hex') as fingerprint
    from idempotency_keys where (api_key_id, key) = ("$apiKey", "$key") and not (created_at <= service_now() - interval '24 hours') limit 1
  ) as first
  ), "$fresh" as materialized (
    select * from "$request" where "$n" not in (select "$n" from "$known") and ("$key" is null or pg_try_advisory_xact_lock(hashtextextended("$apiKey" || ':' || "$key", 0)))
  ), "$new" as materialized (
    select "$fresh".* from "$fresh" 
  ), "$own" as materialized (update "stores" set "name" = $1 where ("id" = $2) and exists (select from "$new") returning "id", "name", "city", "capacity", "state", format('"%s-%s"', name, state) as "etag"), "$answered" as materialized (
    select "$new"."$n", "$apiKey", "$key", "$fingerprint", case when row."$n" is not null then 200 else 404 end as status,
      case when row."$n" is not null then json_strip_nulls(json_build_object('ETag', row."etag"::text))::text end as headers,
      case when row."$n" is not null then '{' || '"id":' || coalesce(row."id"::text, 'null') || ',"name":' || coalesce(to_json(row."name"::text)::text, 'null') || ',"city":' || coalesce(to_json(row."city"::text)::text, 'null') || coalesce(',"capacity":' || row."capacity"::text, '') || case row."state"::text when 'open' then ',"state":"open"' when 'full' then ',"state":"full"' when 'closed' then ',"state":"closed"' else ',"state":' || coalesce(to_json(row."state"::text)::text, 'null') end || '}' end as body
    from "$new" left join (select 1 as "$n", "$own".* from "$own" limit 1) as row on row."$n" = "$new"."$n"
  ), "$stored" as (
    insert into idempotency_keys as stored (api_key_id, key, fingerprint, status, headers, answer, created_at)
    select "$apiKey", "$key", decode("$fingerprint", 'hex'), status, headers::json, coalesce(body, 'null')::json, service_now()
    from "$answered" where "$key" is not null
    on conflict (api_key_id, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
      headers = excluded.headers, answer = excluded.answer,
      created_at = case when stored.created_at <= service_now() - interval '24 hours' then excluded.created_at end)
  select "$n"::integer as position, status, headers, body, null as fingerprint from "$answered"
  union all select "$n"::integer as position, status, headers, body, fingerprint from "$known";

-- updateStore: a transaction
begin;
select "state" from "stores" where "id" = $1 for update;
with row as (update "stores" set "name" = $1 where "id" = $2 returning "id", "name", "city", "capacity", "state", format('"%s-%s"', name, state) as "etag") select '{' || '"id":' || coalesce(row."id"::text, 'null') || ',"name":' || coalesce(to_json(row."name"::text)::text, 'null') || ',"city":' || coalesce(to_json(row."city"::text)::text, 'null') || coalesce(',"capacity":' || row."capacity"::text, '') || case row."state"::text when 'open' then ',"state":"open"' when 'full' then ',"state":"full"' when 'closed' then ',"state":"closed"' else ',"state":' || coalesce(to_json(row."state"::text)::text, 'null') end || '}' as body, json_strip_nulls(json_build_object('ETag', row."etag"::text))::text as headers from row;
commit;

-- updateStore with an Idempotency-Key
begin;
select (case when bool_and(pg_try_advisory_xact_lock(hashtextextended("$apiKey" || ':' || "$key", 0))) then 'true' else 'Idempotency-Key in use' end)::boolean from json_to_recordset($1::json) as request ("$apiKey" bigint, "$key" text, "$fingerprint" text);
select (case when exists (select from json_to_recordset($1::json) as request ("$apiKey" bigint, "$key" text, "$fingerprint" text), lateral (
    select status, headers::text, nullif(answer::text, 'null') as body, encode(fingerprint, 'hex') as fingerprint
    from idempotency_keys where (api_key_id, key) = ("$apiKey", "$key") and not (created_at <= service_now() - interval '24 hours') limit 1
  ) as first)
    then 'Idempotency-Key stored' else 'true' end)::boolean;
select "state" from "stores" where "id" = $1 for update;
with row as (update "stores" set "name" = $1 where "id" = $2 returning "id", "name", "city", "capacity", "state", format('"%s-%s"', name, state) as "etag") select '{' || '"id":' || coalesce(row."id"::text, 'null') || ',"name":' || coalesce(to_json(row."name"::text)::text, 'null') || ',"city":' || coalesce(to_json(row."city"::text)::text, 'null') || coalesce(',"capacity":' || row."capacity"::text, '') || case row."state"::text when 'open' then ',"state":"open"' when 'full' then ',"state":"full"' when 'closed' then ',"state":"closed"' else ',"state":' || coalesce(to_json(row."state"::text)::text, 'null') end || '}' as body, json_strip_nulls(json_build_object('ETag', row."etag"::text))::text as headers from row;
insert into idempotency_keys as stored (api_key_id, key, fingerprint, status, headers, answer, created_at)
    select "$apiKey", "$key", decode("$fingerprint", 'hex'), status, headers::json, coalesce(body, 'null')::json, service_now()
    from json_to_recordset($1::json) as answered ("$apiKey" bigint, "$key" text, "$fingerprint" text, status smallint, headers text, body text) where "$key" is not null
    on conflict (api_key_id, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
      headers = excluded.headers, answer = excluded.answer,
      created_at = case when stored.created_at <= service_now() - interval '24 hours' then excluded.created_at end;
commit;

