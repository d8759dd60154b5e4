export { ticketsStore } from './tickets.store.ts'
export { createTickets, forgetTickets, type Tickets } from './tickets.ts'
