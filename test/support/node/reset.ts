// How all that tests have stored is forgotten.

const forgetting: (() => void)[] = [];

export function whenReset(forget: () => void): void {
	forgetting.push(forget);
}

export async function reset(): Promise<void> {
	for (const forget of forgetting) forget();
}
