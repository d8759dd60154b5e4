/** Texts of notices; `{…}` is filled with the facts of the notice. */
export const notices = {
  'new-address.title': 'Sign-in from a new address',
  'new-address.content':
    'Your account was used from the address {address} for the first time.\nProgram: {program}\nIf this was not you, change your password.',
  'password-changed.title': 'Your password was changed',
  'password-changed.content':
    'Every other sign-in of your account has ended. If this was not you, tell your administrator at once.',
  'email-changed.title': 'Your e-mail address was changed',
  'email-changed.content': 'Mails now go to {email}. If this was not you, tell your administrator at once.',
  'job-failed.title': 'A task has failed: {job}',
  'job-failed.content':
    'The task did not do all of its work. What was done stays; look at the task and start it again.',
  'quota-nearly-full.title': 'Your storage space is nearly full',
  'quota-nearly-full.content': '{percent} % of your space is used ({used} of {quota}). Delete what you no longer need.',
  'mail-failed.title': 'A mail could not be sent',
  'mail-failed.content': 'The mail to {recipient} was given up.\n{reason}',
  // Names of tasks, as {job} has them.
  'job.copy': 'copy',
  'job.move': 'move',
  'job.remove': 'delete',
  'job.restore': 'restore',
  'job.purge': 'delete for good',
  'job.other': 'background task',
} as const

export type NoticeKey = keyof typeof notices
