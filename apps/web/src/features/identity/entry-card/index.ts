export { EntryCard } from './entry-card.tsx'
