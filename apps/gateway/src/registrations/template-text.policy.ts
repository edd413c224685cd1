import {
  ApiError,
  ERROR_MESSAGES,
  inputMessage,
  MESSAGE_CHARACTERS_MAX,
  type TemplateVariables,
} from '@watchword/contracts';
import { renderTemplate } from '@watchword/telephony';

/**
 * Returns the text of a template with its values. Refuses a missing value and a text that is too
 * long.
 */
export function textOfTemplate(body: string, variables: TemplateVariables = {}): string {
  const { text, missing, characters } = renderTemplate(
    body,
    new Map(Object.entries(variables)),
    MESSAGE_CHARACTERS_MAX,
  );
  const [first] = missing;
  if (first !== undefined) {
    const field = `variables.${first}`;
    throw new ApiError('validation_error', { field, message: inputMessage(field, 'required') });
  }
  if (text === null) {
    const message = ERROR_MESSAGES.renderedTooLong(characters, MESSAGE_CHARACTERS_MAX);
    throw new ApiError('validation_error', { field: 'template', message });
  }
  return text;
}

export function unknownTemplate(): ApiError {
  return new ApiError('validation_error', {
    field: 'template',
    message: ERROR_MESSAGES.unknownTemplate,
  });
}
