export { clientSocketFeature } from './client-socket.feature.ts'
