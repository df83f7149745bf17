export type { AnalysisInput, ExportFormat } from './analyses.ts';
export { Earshot, type EarshotOptions } from './client.ts';
export { type Deadline, startDeadline, withDeadline } from './deadline.ts';
export { AnalysisFailed, ApiError, ConnectionError, EarshotError } from './errors.ts';
export type { JobEvent } from './event-stream.ts';
export { type CompletedResult, Job, type JobData } from './job.ts';
export type { ListOperationId } from './paginate.ts';
export type { OperationId, RequestInput, RequestOutput } from './request.ts';
export { verifyWebhook, type WebhookEvent, WebhookVerificationError } from './webhooks.ts';
