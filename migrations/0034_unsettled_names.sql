CREATE INDEX `names_unsettled` ON `names` (`reserved_at`) WHERE reserved_for is null and reserved_at is not null;
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'c8cebeb938e1eb49f5875009967d11445ed0557a10a3baab07eae44f86428599'), (34, 'c8cebeb938e1eb49f5875009967d11445ed0557a10a3baab07eae44f86428599') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
