--liquibase formatted sql

--changeset h16:1
create table if not exists h16_liquibase (id int primary key);

--changeset h16:2
insert into h16_liquibase values (1);
