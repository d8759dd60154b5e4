import '../../kernel/events/outbox.ts'

declare module '../../kernel/events/outbox.ts' {
  interface DurableEvents {
    readonly 'account.password-changed': { readonly userId: string; readonly at: number }
    readonly 'account.email-changed': { readonly userId: string; readonly email: string; readonly at: number }
  }
}

