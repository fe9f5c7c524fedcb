-- Seals are append-only, like the rows that they seal: also for `insert or replace`, which removes a row without a trigger of DELETE.

CREATE TRIGGER `audit_seals_append_only` BEFORE UPDATE ON `audit_seals` BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER `audit_seals_kept` BEFORE DELETE ON `audit_seals` BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER `audit_seals_added` BEFORE INSERT ON `audit_seals` WHEN EXISTS (SELECT 1 FROM `audit_seals` s WHERE s.stream = NEW.stream AND (s.through_sequence = NEW.through_sequence OR s.from_sequence = NEW.from_sequence)) OR EXISTS (SELECT 1 FROM `audit_seals` s WHERE s.rowid = NEW.rowid) BEGIN SELECT RAISE(ABORT, 'append only'); END;
