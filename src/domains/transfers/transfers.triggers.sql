-- What became of a transfer in the payee's home is final: the payer's home settles or releases by it.

CREATE TRIGGER `incoming_transfers_final` BEFORE UPDATE ON `incoming_transfers` BEGIN SELECT RAISE(ABORT, 'a fate is final'); END;
CREATE TRIGGER `incoming_transfers_kept` BEFORE DELETE ON `incoming_transfers` BEGIN SELECT RAISE(ABORT, 'a fate is final'); END;
