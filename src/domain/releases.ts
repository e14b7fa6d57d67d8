/** The newest release of the network whose events, enumerations and products this version of the gateway knows. */
export const NEWEST_RELEASE = '0.79';
