export { udpFeature } from './udp.feature.ts'
