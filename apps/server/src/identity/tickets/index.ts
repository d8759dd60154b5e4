export { createTickets, type Tickets } from './tickets.ts'
