interface ChecklistDismissalsTable {
  user_id: string
  dismissed_at: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly checklist_dismissals: ChecklistDismissalsTable
  }
}

export type { ChecklistDismissalsTable }
