export { InviteRegister, ShareRegister } from './registers.page.tsx'
