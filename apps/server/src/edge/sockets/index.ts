export { createCredentials, type Credentials, type ProvenLogin } from './credentials.ts'
export { CLOSING_MS, LOGIN_MS, parseJson, STRANGER_FRAME_BYTES } from './frames.ts'
export { createRateLimit } from './rate-limit.ts'
export { createDoor, RECHECK_MS, type DoorSocket } from './upgrade-door.ts'
