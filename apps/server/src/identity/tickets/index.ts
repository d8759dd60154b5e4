export { createTickets, forgetTickets, type Tickets } from './tickets.ts'
