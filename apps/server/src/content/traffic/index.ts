export { Traffic, type Arrival, type Booked, type Ended, type Mover, type Moving, type TrafficLog } from './traffic.ts'
