-- Transactions and allocations are history: rows are added and never changed.

CREATE TRIGGER `account_transactions_append_only` BEFORE UPDATE ON `account_transactions` BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER `account_transactions_kept` BEFORE DELETE ON `account_transactions` BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER `allocations_append_only` BEFORE UPDATE ON `allocations` BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER `allocations_kept` BEFORE DELETE ON `allocations` BEGIN SELECT RAISE(ABORT, 'append only'); END;
