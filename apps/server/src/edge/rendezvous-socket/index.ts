export { rendezvousSocketFeature } from './rendezvous-socket.feature.ts'
