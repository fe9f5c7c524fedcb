// Brands that change where nothing that remembers them notices.

import { databases } from "./databases";

/** Changes the colour of a brand in each database, as another isolate, or somebody with SQL, does. */
export const changeBehind = (id: string, primary_color: string) =>
	Promise.all(
		databases.map((database) =>
			database
				.prepare("update brands set primary_color = ?, version = version + 1 where organization_id = ?")
				.bind(primary_color, id)
				.run(),
		),
	);
