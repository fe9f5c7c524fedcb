-- The outcome of a transfer in the payee's home never changes: the payer's home has settled the payment or released the money by it.

CREATE TRIGGER `incoming_transfers_final` BEFORE UPDATE ON `incoming_transfers` BEGIN SELECT RAISE(ABORT, 'the outcome of a transfer is final'); END;
CREATE TRIGGER `incoming_transfers_kept` BEFORE DELETE ON `incoming_transfers` BEGIN SELECT RAISE(ABORT, 'the outcome of a transfer is final'); END;
