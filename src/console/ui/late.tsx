// A part of a page that few need: its file is read when it is first shown.

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem } from "./problem.tsx";

export function late<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
	let loaded: ComponentType<Props> | undefined;
	return function Late(props: Props) {
		const [, render] = useState({});
		const [error, setError] = useState<Error>();
		useEffect(() => {
			if (loaded) return;
			load().then((part) => {
				loaded = part;
				render({});
			}, setError);
		}, []);
		if (error) return <Problem error={error} again={() => location.reload()} />;
		const Part = loaded;
		return Part ? <Part {...props} /> : null;
	};
}
