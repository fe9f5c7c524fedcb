INSERT INTO home_messages (id, kind, recipient, payload, created_at)
SELECT lower(hex(randomblob(16))), 'member', m.organization_id,
	json_object('id', m.id, 'organizationId', m.organization_id, 'userId', m.user_id, 'role', m.role, 'version', m.version, 'createdAt', m.created_at,
		'profile', json_object('displayName', u.display_name, 'email', u.email, 'tag', u.tag, 'profileVersion', u.profile_version)),
	unixepoch() * 1000
FROM memberships m JOIN users u ON u.id = m.user_id
WHERE NOT EXISTS (SELECT 1 FROM organization_members o WHERE o.organization_id = m.organization_id AND o.user_id = m.user_id);
--> statement-breakpoint
INSERT INTO `schema_version` (`id`, `hash`) VALUES (1, 'c22f84eaf7b4f2a307518cafb7ac9e74342d947521097deabcb2452a88e2d02e'), (36, 'c22f84eaf7b4f2a307518cafb7ac9e74342d947521097deabcb2452a88e2d02e') ON CONFLICT (`id`) DO UPDATE SET `hash` = excluded.`hash`;
