export { clientEndpoints, clientRawEndpoints, type PackageTicket } from './clients.routes.ts'
export { createClients, type ClientLine, type Clients, type PresentClient } from './clients.service.ts'
