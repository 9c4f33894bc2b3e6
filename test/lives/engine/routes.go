package main

import (
	"fmt"
	"sort"
	"time"

	"github.com/prometheus/alertmanager/config"
	"github.com/prometheus/alertmanager/dispatch"
	"github.com/prometheus/alertmanager/inhibit"
	"github.com/prometheus/alertmanager/timeinterval"
	"github.com/prometheus/common/model"
)

// notification is a period in which an alert fires for a receiver. Alerts with the same Group share a message.
type notification struct {
	Labels   map[string]string
	Receiver string
	Group    string
	From, To float64
}

// notifications applies routes, mute times and inhibition, minute by minute.
func notifications(w world, fired []*interval) []notification {
	cfg, err := config.LoadFile(w.Alertmanager)
	must(err)
	root := dispatch.NewRoute(cfg.Route, nil)
	times := map[string][]timeinterval.TimeInterval{}
	for _, one := range cfg.TimeIntervals {
		times[one.Name] = one.TimeIntervals
	}
	inhibitions := []*inhibit.InhibitRule{}
	for _, one := range cfg.InhibitRules {
		inhibitions = append(inhibitions, inhibit.NewInhibitRule(one))
	}
	result := []notification{}
	for _, one := range fired {
		for _, route := range root.Match(labelSet(one)) {
			told := false
			begin := 0.0
			end := func(minute float64) {
				if told && minute-begin >= route.RouteOpts.GroupWait.Minutes() {
					result = append(result, notification{one.Labels, route.RouteOpts.Receiver, groupOf(route, one), begin, minute})
				}
				told = false
			}
			for minute := one.From; minute < one.To; minute++ {
				at := time.Unix(w.Start+int64(minute*60), 0).UTC()
				// A mute time delays a notification, but does not end one.
				if isInhibited(inhibitions, one, fired, minute) {
					end(minute)
				} else if !told && !isMuted(route.RouteOpts.MuteTimeIntervals, times, at) {
					told, begin = true, minute
				}
			}
			end(one.To)
		}
	}
	sort.SliceStable(result, func(i, j int) bool { return result[i].From < result[j].From })
	return result
}

func labelSet(one *interval) model.LabelSet {
	set := model.LabelSet{}
	for name, text := range one.Labels {
		set[model.LabelName(name)] = model.LabelValue(text)
	}
	return set
}

func groupOf(route *dispatch.Route, one *interval) string {
	names := []string{}
	for name := range route.RouteOpts.GroupBy {
		names = append(names, string(name))
	}
	sort.Strings(names)
	key := route.Key()
	for _, name := range names {
		key += fmt.Sprintf(" %s=%q", name, one.Labels[name])
	}
	return key
}

func isMuted(names []string, times map[string][]timeinterval.TimeInterval, at time.Time) bool {
	for _, name := range names {
		for _, one := range times[name] {
			if one.ContainsTime(at) {
				return true
			}
		}
	}
	return false
}

func isInhibited(inhibitions []*inhibit.InhibitRule, target *interval, fired []*interval, minute float64) bool {
	set := labelSet(target)
	for _, rule := range inhibitions {
		if !rule.TargetMatchers.Matches(set) {
			continue
		}
		isSource := rule.SourceMatchers.Matches(set)
		for _, source := range fired {
			if source == target || minute < source.From || minute >= source.To {
				continue
			}
			other := labelSet(source)
			if rule.SourceMatchers.Matches(other) && !(isSource && rule.TargetMatchers.Matches(other)) && isEqual(rule, set, other) {
				return true
			}
		}
	}
	return false
}

func isEqual(rule *inhibit.InhibitRule, one, other model.LabelSet) bool {
	for name := range rule.Equal {
		if one[name] != other[name] {
			return false
		}
	}
	return true
}
