-- Webhooks follow a resource that is renamed: their events name it.

create or replace procedure service.rename_logged(former text, resource text)
language sql
begin atomic
  update service.changes_new set resource = rename_logged.resource where changes_new.resource = former;
  update service.changes set resource = rename_logged.resource where changes.resource = former;
  update service.change_histories set resource = rename_logged.resource where change_histories.resource = former;
  update service.webhooks
  set events = array(
    select case
      when split_part(event, '.', 1) = former then rename_logged.resource || '.' || split_part(event, '.', 2)
      else event
    end
    from unnest(events) with ordinality as named (event, place)
    order by place
  )
  where exists (select from unnest(events) as event where split_part(event, '.', 1) = former);
end;
