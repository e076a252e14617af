package providers

import "fmt"

// NoteFormatRefused is the code of the note on a form of answer that the
// server did not want to be asked for.
const NoteFormatRefused = "format_refused"

// formatPlace is where a form of answer is refused.
type formatPlace struct{ provider, address, model string }

// formatLevel is how much of the form of an answer to ask for, as a mode:
// ModeJSONSchema, ModeJSONObject or ModeNone. It takes what this place is known
// to refuse into account, where the job leaves that open.
func (s *Set) formatLevel(job ChatJob, place formatPlace) string {
	switch {
	case job.Format.Kind == FormatText || job.FormatMode == ModeNone:
		return ModeNone
	case job.FormatMode == ModeJSONObject:
		return ModeJSONObject
	case job.FormatMode == ModeJSONSchema:
		return ModeJSONSchema
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	refused := s.refused[place]
	if job.Format.Kind == FormatJSONSchema && !refused.schema {
		return ModeJSONSchema
	}
	if !refused.object {
		return ModeJSONObject
	}
	return ModeNone
}

// refusedForms are the forms that a place refuses.
type refusedForms struct{ schema, object bool }

// refuseFormat remembers that a place refuses a form.
func (s *Set) refuseFormat(place formatPlace, level string) Note {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refused == nil {
		s.refused = map[formatPlace]refusedForms{}
	}
	r := s.refused[place]
	if level == ModeJSONSchema {
		r.schema = true
	} else {
		r.object = true
	}
	s.refused[place] = r
	return Note{Code: NoteFormatRefused, Detail: fmt.Sprintf("the server refuses response_format %q for the model %q: it is asked for less, and the answer is checked here", level, place.model)}
}
