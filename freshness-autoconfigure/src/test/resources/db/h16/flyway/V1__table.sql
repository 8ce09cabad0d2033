create table if not exists h16_flyway (id int primary key);
