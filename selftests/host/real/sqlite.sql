-- SPDX-License-Identifier: GPL-2.0
-- What ../../sqlite/workload.sql does, on less.
PRAGMA journal_mode = MEMORY;
PRAGMA cache_size = 50;
CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT, city TEXT, spent INTEGER DEFAULT 0);
CREATE TABLE purchase(id INTEGER PRIMARY KEY, customer INTEGER, item TEXT, price REAL, day TEXT);
CREATE TABLE part(id INTEGER PRIMARY KEY, parent INTEGER, name TEXT);
CREATE TRIGGER spend AFTER INSERT ON purchase BEGIN
	UPDATE customer SET spent = spent + new.price WHERE id = new.customer;
END;
CREATE TRIGGER refund AFTER DELETE ON purchase BEGIN
	UPDATE customer SET spent = spent - old.price WHERE id = old.customer;
END;
BEGIN;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
INSERT INTO customer(id, name, city)
	SELECT i, printf('customer-%05d', i * 7919 % 100000), 'city-' || (i * 31 % 17) FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
INSERT INTO purchase(customer, item, price, day)
	SELECT i * 7919 % 40 + 1, hex(i * 104729 % 65536) || '-' || (i % 211), i * 37 % 1000 / 7.0,
	       date('2024-01-01', (i % 366) || ' days')
	FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
INSERT INTO part SELECT i, i / 3, 'part ' || i FROM n;
COMMIT;
CREATE INDEX purchase_customer ON purchase(customer, day);
CREATE INDEX purchase_item ON purchase(item);
CREATE INDEX part_parent ON part(parent);
SELECT c.city, count(*), sum(p.price), max(p.item)
	FROM customer c JOIN purchase p ON p.customer = c.id
	GROUP BY c.city ORDER BY 3 DESC, 1 LIMIT 5;
SELECT p.day, count(DISTINCT p.customer), group_concat(substr(p.item, 1, 3))
	FROM purchase p WHERE p.item LIKE '%3-1%' OR p.item GLOB '*A-2*'
	GROUP BY p.day ORDER BY lower(p.item) LIMIT 3;
WITH RECURSIVE tree(id, depth) AS (
	SELECT 1, 0
	UNION ALL
	SELECT part.id, tree.depth + 1 FROM part JOIN tree ON part.parent = tree.id ORDER BY 2 DESC)
SELECT depth, count(*) FROM tree GROUP BY depth;
SELECT a.item, b.item FROM purchase a JOIN purchase b ON b.item = a.item AND b.id > a.id ORDER BY a.item, b.id LIMIT 3;
SELECT name, spent, rank() OVER (PARTITION BY city ORDER BY spent DESC) AS place
	FROM customer ORDER BY place, spent DESC LIMIT 3;
SELECT json_group_array(json_object('id', id, 'name', name)) FROM customer WHERE id < 5;
SELECT group_concat(value) FROM json_each('[1, 2.5, "three", {"four": [4, null]}, true]');
UPDATE purchase SET price = price + 1, item = item || '+' WHERE id % 3 = 0;
DELETE FROM purchase WHERE id % 5 = 0;
SELECT count(*), sum(spent) FROM customer WHERE spent > (SELECT avg(spent) FROM customer);
INSERT OR IGNORE INTO customer(id, name) VALUES (1, 'there already');
ALTER TABLE customer RENAME COLUMN city TO town;
PRAGMA integrity_check;
VACUUM;
