// SPDX-License-Identifier: Apache-2.0
// simgrid: checks that schedules end in SimGrid at the predicted time, and compares the speed.
//
//     peers-simgrid FILE.sched LAMBDA PAIRS       λ as a decimal; 1 in the round models
//
// A node is a host with an actor, which sends packets at the times of the schedule, but waits for a
// packet that has not arrived yet. The platform is the postal model: a host has a link out and a
// link in that carry a packet in a unit of time, and λ - 1 units of latency. A unit is a second of
// SimGrid's clock. Links are shared fairly, so packets that meet at a port arrive later: the
// simulated end equals that of the schedule only if no packets meet and no actor waits. Otherwise
// the exit status is 1.
//
// Runs of SimGrid alternate with runs of roundcast_verify, which answers the same question. Figures
// are transfers per CPU-second; the ratio is the median of those of the pairs.
#include "lib/roundcast.h"

#include <simgrid/s4u.hpp>
#include <xbt/log.h>

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace s4u = simgrid::s4u;

namespace
{

constexpr double bytes = 1e6; // bytes of a packet; a link carries this number per second
constexpr double tolerance = 1e-6;

struct Send {
    double time; // since the beginning of the run
    uint32_t destination, packet;
};

struct Node {
    s4u::Host *host = nullptr;
    s4u::Mailbox *box = nullptr;
    std::vector<Send> sends; // by ascending time
    size_t receipts = 0;
    std::vector<bool> receives; // by packet; other packets that it sends are its own
};

struct Work {
    roundcast_schedule *schedule;
    roundcast_schedule_info info;
    double lambda, end; // in units of time
    std::vector<Node> nodes;
};

[[noreturn]] void fail(int status, const char *text)
{
    std::fprintf(stderr, "peers-simgrid: %s\n", text);
    std::exit(status);
}

double cpu_seconds()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> figures)
{
    std::sort(figures.begin(), figures.end());
    return figures[figures.size() / 2];
}

// --- the schedule --------------------------------------------------------------------------------

void add_transfer(Work &work, size_t index, bool postal)
{
    roundcast_transfer transfer{};
    roundcast_error error{};
    if (!roundcast_transfer_at(work.schedule, index, &transfer, &error))
        fail(2, error.text);
    if (transfer.source >= work.info.nodes || transfer.destination >= work.info.nodes)
        fail(2, "the schedule has routers; expected nodes alone");
    double time = static_cast<double>(transfer.time - !postal) / work.info.ticks;
    work.nodes[transfer.source].sends.push_back({time, transfer.destination, transfer.packet});
    Node &receiver = work.nodes[transfer.destination];
    receiver.receipts++;
    receiver.receives.resize(work.info.packets + 1);
    receiver.receives[transfer.packet] = true;
}

Work read_work(const char *file, double lambda)
{
    roundcast_error error{};
    Work work{};
    work.schedule = roundcast_read(file, &error);
    if (work.schedule == nullptr)
        fail(2, error.text);
    work.info = roundcast_schedule_describe(work.schedule);
    work.lambda = lambda;
    work.end = static_cast<double>(work.info.end) / work.info.ticks;
    work.nodes.resize(work.info.nodes);
    bool postal = std::strcmp(work.info.model, "postal") == 0;
    for (size_t index = 0; index < work.info.transfers; index++)
        add_transfer(work, index, postal);
    return work;
}

// --- SimGrid -------------------------------------------------------------------------------------

// Builds a star, whose centre adds no time.
void build_platform(Work &work)
{
    s4u::NetZone *zone = s4u::create_star_zone("network");
    for (uint32_t number = 0; number < work.info.nodes; number++) {
        std::string name = std::to_string(number);
        Node &node = work.nodes[number];
        node.host = zone->create_host(name, 1e9);
        node.box = s4u::Mailbox::by_name(name);
        const s4u::Link *out = zone->create_link("out" + name, bytes)->set_latency(work.lambda - 1);
        const s4u::Link *in = zone->create_link("in" + name, bytes)->set_latency(0);
        zone->add_route(node.host->get_netpoint(), nullptr, nullptr, nullptr,
                        {s4u::LinkInRoute(out)}, false);
        zone->add_route(nullptr, node.host->get_netpoint(), nullptr, nullptr,
                        {s4u::LinkInRoute(in)}, false);
    }
    zone->seal();
}

// The actor of one node, in a run that begins at a given time of the clock.
class Actor
{
  public:
    Actor(Work &work, Node &node, double begin) : work_(work), node_(node), begin_(begin)
    {
    }

    void operator()()
    {
        got_.resize(node_.receipts);
        held_.resize(work_.info.packets + 1);
        for (uint32_t *&got : got_)
            coming_.push_back(node_.box->get_async<uint32_t>(&got));
        for (Send &send : node_.sends) {
            if (!node_.receives.empty() && node_.receives[send.packet])
                await(send.packet);
            s4u::this_actor::sleep_until(begin_ + send.time);
            work_.nodes[send.destination]
                .box->put_init(&send.packet, static_cast<uint64_t>(bytes))
                ->detach();
        }
        while (come_ < coming_.size())
            receive();
    }

  private:
    void receive()
    {
        coming_[come_]->wait();
        held_[*got_[come_]] = true;
        come_++;
    }

    void await(uint32_t packet)
    {
        while (!held_[packet] && come_ < coming_.size())
            receive();
    }

    Work &work_;
    Node &node_;
    double begin_;
    std::vector<uint32_t *> got_;
    std::vector<s4u::CommPtr> coming_;
    size_t come_ = 0;
    std::vector<bool> held_;
};

// Runs all actors. Returns the time at which the run ended on SimGrid's clock, in units since its
// beginning.
double simulate(Work &work)
{
    double begin = s4u::Engine::get_clock();
    for (Node &node : work.nodes)
        s4u::Actor::create("node", node.host, Actor(work, node, begin));
    s4u::Engine::get_instance()->run();
    return s4u::Engine::get_clock() - begin;
}

// --- in turn -------------------------------------------------------------------------------------

double speed(const Work &work, const std::function<void()> &once)
{
    constexpr double least = 0.1; // minimum CPU seconds of a figure
    double start = cpu_seconds(), taken = 0;
    unsigned runs = 0;
    while (taken < least) {
        once();
        runs++;
        taken = cpu_seconds() - start;
    }
    return static_cast<double>(work.info.transfers) * runs / taken;
}

void check_end(const Work &work, double end)
{
    if (std::abs(end - work.end) < tolerance * (1 + work.end))
        return;
    std::fprintf(stderr, "peers-simgrid: SimGrid ends at %.9g; the schedule says %.9g\n", end,
                 work.end);
    std::exit(1);
}

void verify(const Work &work)
{
    roundcast_error error{};
    roundcast_verdict verdict{};
    if (!roundcast_verify(work.schedule, &verdict, &error))
        fail(1, error.text);
}

void measure(Work &work, unsigned pairs)
{
    std::vector<double> ours, theirs, ratio;
    double end = simulate(work);
    check_end(work, end);
    for (unsigned pair = 0; pair < pairs; pair++) {
        theirs.push_back(speed(work, [&] { check_end(work, simulate(work)); }));
        ours.push_back(speed(work, [&] { verify(work); }));
        ratio.push_back(ours.back() / theirs.back());
    }
    std::printf("%-16s %6" PRIu32 " %9zu %8g %8.6g %9.3f %9.1f %7.0f\n", work.info.algorithm,
                work.info.nodes, work.info.transfers, work.end, end, median(theirs) * 1e-6,
                median(ours) * 1e-6, median(ratio));
}

} // namespace

int main(int argc, char **argv)
{
    xbt_log_control_set("xbt_cfg.thres:warning");
    s4u::Engine engine(&argc, argv);
    unsigned pairs = argc == 4 ? static_cast<unsigned>(std::atoi(argv[3])) : 0;
    double lambda = argc == 4 ? std::atof(argv[2]) : 0;
    if (pairs == 0 || lambda < 1)
        fail(2, "usage: peers-simgrid FILE.sched LAMBDA PAIRS");
    // Simulates only what the platform describes: no TCP, no acknowledgements that load links.
    for (const char *plain :
         {"network/model:CM02", "network/latency-factor:1", "network/bandwidth-factor:1",
          "network/TCP-gamma:0", "network/weight-S:0", "network/crosstraffic:0"})
        s4u::Engine::set_config(plain);
    Work work = read_work(argv[1], lambda);
    build_platform(work);
    measure(work, pairs);
    roundcast_schedule_free(work.schedule);
    return 0;
}
