export {
  Traffic,
  type Arrival,
  type BegunTransfer,
  type Booked,
  type Ended,
  type Mover,
  type Moving,
  type TrafficLog,
} from './traffic.ts'
