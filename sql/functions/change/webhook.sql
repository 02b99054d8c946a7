-- Webhooks: posting changes to URLs (docs/changes.md, Webhooks).
--
-- A process that delivers holds the row by its number and a time, not by a lock, so no transaction and no connection is
-- open while a receiver answers. Every call of the holder renews the time. A holder that dies is replaced after it.

-- Adds a webhook.
--
--   after    position in the change log: only later changes are posted; null: changes from now on
--   returns  its id
--   raises   QS409 webhooks-counted
create or replace function add_webhook(url text, secret bytea, agent text, groups text[], under text, actions text[],
                                       after int8, webhook_limit int) returns int8
language plpgsql
security definer
set search_path from current
as $$
declare
  v_id int8;
begin
  perform pg_advisory_xact_lock(hashtextextended('quadstead webhooks', 0)); -- concurrent calls count each other's
  if (select count(*) from webhook) >= webhook_limit then
    raise exception 'There are % webhooks, as many as there may be.', webhook_limit
      using errcode = 'QS409', constraint = 'webhooks-counted';
  end if;
  insert into webhook (url, secret, agent, groups, under, actions, position)
  values (add_webhook.url, add_webhook.secret, add_webhook.agent, add_webhook.groups, add_webhook.under,
          add_webhook.actions, add_webhook.after)
  returning id into v_id;
  return v_id;
end
$$;

comment on function add_webhook(text, bytea, text, text[], text, text[], int8, int) is
  'Adds a URL to which changes are posted.';

-- Lists the webhooks, the oldest first, without their secrets.
create or replace function list_webhooks()
returns table (id text, url text, agent text, groups text[], under text, actions text[], created timestamptz,
               "position" text, state text, failures int, next_attempt timestamptz, last_delivery timestamptz,
               last_failure timestamptz, last_reason text)
language plpgsql stable
set search_path from current
as $$
begin
  return query
    select w.id::text, w.url, w.agent, w.groups, w.under, w.actions, w.created, w.position::text, w.state, w.failures,
           w.next_attempt, w.last_delivery, w.last_failure, w.last_reason
      from webhook as w
     order by w.id;
end
$$;

comment on function list_webhooks() is 'The webhooks, the oldest first.';

-- Removes a webhook. An attempt that is under way is finished.
--
--   raises  QS404 webhook-exists
create or replace function remove_webhook(id int8) returns void
language plpgsql
security definer
set search_path from current
as $$
begin
  delete from webhook as w where w.id = remove_webhook.id;
  if not found then
    raise exception 'There is no webhook %.', id using errcode = 'QS404', constraint = 'webhook-exists';
  end if;
end
$$;

comment on function remove_webhook(int8) is 'Removes a webhook.';

-- Lets a webhook deliver again, at once: one that waits after a failure, or one that is dead or gone.
--
--   is_skipping  leaves out the change that failed, and changes that the log no longer has
--   raises       QS404 webhook-exists
create or replace function retry_webhook(id int8, is_skipping boolean) returns void
language plpgsql
security definer
set search_path from current
as $$
begin
  update webhook as w
     set state = 'active', failures = 0, next_attempt = now(), holder = null, held_until = null,
         position = case when is_skipping
                         then greatest(w.position, w.failed_at, (select d.changes_lost from dataset as d))
                         else w.position end,
         failed_at = null
   where w.id = retry_webhook.id;
  if not found then
    raise exception 'There is no webhook %.', id using errcode = 'QS404', constraint = 'webhook-exists';
  end if;
end
$$;

comment on function retry_webhook(int8, boolean) is 'Lets a webhook deliver again.';

-- Takes webhooks that have something to do, and that no other process holds.
--
--   holder   identifies the calling process
--   hold_ms  how long the process holds them, unless it renews that
create or replace function take_webhooks(holder uuid, hold_ms int, most int)
returns table (id text, url text, secret bytea, agent text, groups text[], under text, actions text[],
               "position" text, failures int)
language plpgsql
security definer
set search_path from current
as $$
#variable_conflict use_column
declare
  v_last int8;
begin
  if not exists (select from webhook as w where w.state = 'active') then
    return;
  end if;
  v_last := (select r.last from change_range() as r where r.is_on);
  return query
    with due as (
      select w.id
        from webhook as w
       where w.state = 'active' and w.position < v_last and w.next_attempt <= clock_timestamp()
         and (w.held_until is null or w.held_until < clock_timestamp())
       order by w.next_attempt
       limit most
         for no key update skip locked)
    update webhook as w
       set holder = take_webhooks.holder, held_until = clock_timestamp() + hold_ms * interval '1 millisecond'
      from due
     where w.id = due.id
    returning w.id::text, w.url, w.secret, w.agent, w.groups, w.under, w.actions, w.position::text, w.failures;
end
$$;

comment on function take_webhooks(uuid, int, int) is 'Takes webhooks that have something to deliver.';

-- What there is to do for webhooks.
--
--   is_any  whether there are active webhooks
--   is_due  whether one of them has something to deliver now, and no process holds it
create or replace function webhook_work(out is_any boolean, out is_due boolean)
language plpgsql
security definer
set search_path from current
as $$
declare
  v_last int8;
begin
  is_any := exists (select from webhook as w where w.state = 'active');
  is_due := false;
  if is_any then
    v_last := (select r.last from change_range() as r where r.is_on);
    is_due := exists (
      select from webhook as w
       where w.state = 'active' and w.position < v_last and w.next_attempt <= clock_timestamp()
         and (w.held_until is null or w.held_until < clock_timestamp()));
  end if;
end
$$;

comment on function webhook_work() is 'Whether there are active webhooks, and whether one is due.';

-- Records that all changes up to a position were delivered or passed over, and renews the hold.
--
--   is_delivered  a change was delivered, so the attempts begin anew
--   hold_ms       0: ends the hold
--   returns       whether the caller still holds the webhook
create or replace function advance_webhook(id int8, holder uuid, place int8, is_delivered boolean, hold_ms int)
returns boolean
language plpgsql
security definer
set search_path from current
as $$
begin
  update webhook as w
     set position = greatest(w.position, place),
         failures = case when is_delivered then 0 else w.failures end,
         failed_at = case when is_delivered then null else w.failed_at end,
         last_delivery = case when is_delivered then clock_timestamp() else w.last_delivery end,
         held_until = clock_timestamp() + hold_ms * interval '1 millisecond'
   where w.id = advance_webhook.id and w.holder = advance_webhook.holder and w.state = 'active'
     and w.held_until > clock_timestamp();
  return found;
end
$$;

comment on function advance_webhook(int8, uuid, int8, boolean, int) is 'Records how far a webhook has got.';

-- Records a failed attempt, and ends the hold.
--
--   place    position of the change; null: none could be read
--   wait_ms  until the next attempt
--   state    'active', 'dead' or 'gone'
create or replace function fail_webhook(id int8, holder uuid, place int8, reason text, wait_ms float8,
                                        state text) returns void
language plpgsql
security definer
set search_path from current
as $$
begin
  update webhook as w
     set failures = w.failures + 1, last_failure = clock_timestamp(), last_reason = reason, failed_at = place,
         next_attempt = clock_timestamp() + wait_ms * interval '1 millisecond', state = fail_webhook.state,
         held_until = clock_timestamp()
   where w.id = fail_webhook.id and w.holder = fail_webhook.holder;
end
$$;

comment on function fail_webhook(int8, uuid, int8, text, float8, text) is 'Records a failed attempt of a webhook.';
