CREATE TABLE item (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    price numeric(10, 2) NOT NULL CHECK (price >= 0)
);

CREATE TABLE customer_order (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    item_id bigint NOT NULL REFERENCES item,
    quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 1000),
    unit_price numeric(10, 2) NOT NULL,
    placed_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE profile (
    id bigint PRIMARY KEY,
    display_name varchar(100) NOT NULL,
    version bigint NOT NULL
);

CREATE TABLE profile_permission (
    profile_id bigint NOT NULL REFERENCES profile ON DELETE CASCADE,
    permission varchar(50) NOT NULL,
    PRIMARY KEY (profile_id, permission)
);
