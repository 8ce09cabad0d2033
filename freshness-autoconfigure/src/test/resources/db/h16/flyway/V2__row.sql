insert into h16_flyway values (1);
