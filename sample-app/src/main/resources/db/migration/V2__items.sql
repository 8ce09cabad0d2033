INSERT INTO item (name, price) VALUES
    ('Coffee grinder', 49.90),
    ('Filter papers, 100', 4.50),
    ('Kettle', 64.00);
