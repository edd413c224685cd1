import { ApiError, INPUT_PROBLEMS, inputMessage, METADATA_BYTES_MAX } from '@watchword/contracts';

/** Returns the caller's data after a check of its size; `{}` when there is none. */
export function readMetadata(
  metadata: Record<string, unknown> | undefined,
): Record<string, unknown> {
  if (metadata === undefined) return {};
  if (Buffer.byteLength(JSON.stringify(metadata)) <= METADATA_BYTES_MAX) return metadata;
  throw new ApiError('validation_error', {
    field: 'metadata',
    message: inputMessage('metadata', INPUT_PROBLEMS.bytesMax(METADATA_BYTES_MAX)),
  });
}
