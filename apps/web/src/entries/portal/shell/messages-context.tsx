import { createContext, use } from 'react'
import type { Messages } from '../../../lib/messages.ts'

const MessagesContext = createContext<Messages | undefined>(undefined)

export const MessagesProvider = MessagesContext

export function useMessages(): Messages {
  const messages = use(MessagesContext)
  if (messages === undefined) throw new Error('no messages around this component')
  return messages
}
