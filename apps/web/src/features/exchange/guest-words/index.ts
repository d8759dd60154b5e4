export { GuestWords } from './guest-words.tsx'
