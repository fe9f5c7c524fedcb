// The version of this service, from package.json when it is built.

export { version as SERVICE_VERSION } from "../../package.json";
