create table if not exists by_sql_init (id int);
create table if not exists batch_rows (id int unique deferrable initially deferred);
create table if not exists shedlock (
    name varchar(64) primary key, lock_until timestamp, locked_at timestamp, locked_by varchar(255));
