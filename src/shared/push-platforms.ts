// The platforms whose devices get pushes.

export const PUSH_PLATFORMS = ["ANDROID", "IOS"] as const;
export type PushPlatform = (typeof PUSH_PLATFORMS)[number];
